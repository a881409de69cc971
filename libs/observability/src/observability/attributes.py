"""Every name that spans carry: OpenTelemetry's own where there is one, `enishi.` before the others."""

REQUEST_ID = "enishi.request_id"
STAGE = "enishi.stage"
ACTION = "enishi.action"
STATUS = "enishi.status"
HITS = "enishi.hits"
BATCH_SIZE = "enishi.batch.size"
LANE = "enishi.lane"

RPC_SYSTEM = "rpc.system"
RPC_METHOD = "rpc.method"

# Semantic conventions of generative AI, version 1.37.
GEN_AI_OPERATION = "gen_ai.operation.name"
GEN_AI_PROVIDER = "gen_ai.provider.name"
GEN_AI_MODEL = "gen_ai.request.model"
GEN_AI_INPUT_TOKENS = "gen_ai.usage.input_tokens"
GEN_AI_OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
ERROR_TYPE = "error.type"
MODEL_ATTEMPTS = "enishi.model.attempts"

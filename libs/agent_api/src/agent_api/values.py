"""JSON values in messages: protobuf has one kind of number, so whole ones are read as integers."""

from google.protobuf.struct_pb2 import ListValue, Struct, Value

type Json = bool | int | float | str | list[Json] | dict[str, Json] | None


def from_value(value: Value) -> Json:
    """What a value holds. Whole numbers are integers; beyond 2^53 they were rounded on their way."""
    match value.WhichOneof("kind"):
        case "bool_value":
            return value.bool_value
        case "number_value":
            return int(value.number_value) if value.number_value.is_integer() else value.number_value
        case "string_value":
            return value.string_value
        case "list_value":
            return from_list(value.list_value)
        case "struct_value":
            return from_struct(value.struct_value)
        case _:
            return None


def from_list(values: ListValue) -> list[Json]:
    """The members of a list."""
    return [from_value(each) for each in values.values]


def from_struct(struct: Struct) -> dict[str, Json]:
    """The members of an object."""
    return {name: from_value(each) for name, each in struct.fields.items()}

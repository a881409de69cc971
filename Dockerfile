# One image for all processes; docker-compose.yaml says which one a container runs.
FROM python:3.12-slim AS build
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PROJECT_ENVIRONMENT=/opt/enishi
RUN pip install --no-cache-dir 'uv>=0.9,<1'
WORKDIR /src
COPY pyproject.toml uv.lock ./
COPY libs libs
COPY apps apps
RUN uv sync --locked --no-dev --no-editable --group providers --group otlp

FROM python:3.12-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin enishi
COPY --from=build /opt/enishi /opt/enishi
COPY pyproject.toml /app/pyproject.toml
COPY migrations /app/migrations
ENV PATH=/opt/enishi/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /app
USER enishi
CMD ["enishi", "--help"]

# The service as an image. `docker build -t engram .`; what it needs to run is in docker-compose.yml.

# Node.js 20 on Debian 12: glibc, for which ONNX and SQLite bring their programs inside the packages, so that nothing is compiled.
FROM node:20.20.2-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

# The compiler and the bundler of the debugger's page.
FROM base AS build
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
COPY actors actors
COPY machines machines
COPY examples examples
COPY nats.conf ./
RUN npm run build

# What runs: no compiler, and no package's install script is needed, so none runs.
FROM base AS dependencies
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:20.20.2-bookworm-slim
LABEL org.opencontainers.image.title="Engram" \
      org.opencontainers.image.description="Semantic session memory over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0"
# Inside a container loopback is nobody's; without a licence key the start is refused all the same.
ENV NODE_ENV=production \
    SERVICE_HOST=0.0.0.0 \
    SERVICE_PORT=8000
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
# Files belong to root, and the service writes none: the root file system may be read-only.
USER node
EXPOSE 8000
# Node.js itself asks, since the image has no curl. Dependencies are for /v1/readyz: a restart would not mend them.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVICE_PORT}/v1/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Requests in flight finish, sessions are put away; see "Shutdown" in docs/actors.md. It takes up to 30 s.
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/main.js"]

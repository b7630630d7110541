# Vigil with its embedded PostgreSQL. Debian, because those binaries need glibc.
FROM node:24.21.0-bookworm-slim AS manifests
WORKDIR /vigil
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY web/package.json web/

FROM manifests AS web
RUN npm ci --ignore-scripts --include=dev
COPY . .
RUN node node_modules/vite/bin/vite.js build web
RUN node -e "import('./scripts/bootstrap.mjs').then((m) => m.buildServer())"

# What the server needs, for this platform only, with the links that PostgreSQL's install script would make.
FROM manifests AS packages
RUN npm ci --ignore-scripts --omit=dev -w contract -w server -w simulator \
 && mkdir -p server/node_modules contract/node_modules simulator/node_modules \
 && find node_modules/onnxruntime-node/bin -mindepth 2 -maxdepth 3 -type d \
      ! -path "*/linux" ! -path "*/linux/$(node -p process.arch)" -prune -exec rm -rf {} +
COPY server/engines/db/binaries.ts server/engines/db/
COPY server/lib/thrown.ts server/lib/
RUN node -e "import('./server/engines/db/binaries.ts').then((db) => db.findBinaries('/tmp'))"

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg prusa-slicer \
 && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production IN_CONTAINER=true VIGIL_DATA=/data PORT=3334 NODE_COMPILE_CACHE=/data/.cache/node
WORKDIR /vigil
COPY --from=packages /vigil/node_modules node_modules
# What a workspace has in another version than the rest lies in its own folder.
COPY --from=packages /vigil/contract/node_modules contract/node_modules
COPY --from=packages /vigil/server/node_modules server/node_modules
COPY --from=packages /vigil/simulator/node_modules simulator/node_modules
COPY --from=web /vigil/web/dist web/dist
COPY --from=web /vigil/server/dist server/dist
COPY package.json ./
COPY contract contract
COPY locales locales
COPY server server
COPY simulator simulator
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3334 3335-3354
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/hc/`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/cli/main.ts"]
CMD ["up"]

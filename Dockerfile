# Vigil with its embedded PostgreSQL. Debian, because those binaries need glibc.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /vigil
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY web/package.json web/
RUN npm ci --ignore-scripts --include=dev
COPY . .
RUN node node_modules/vite/bin/vite.js build web \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/node-linux-* web/node_modules \
 && find node_modules/onnxruntime-node/bin -mindepth 2 -maxdepth 3 -type d \
      ! -path "*/linux" ! -path "*/linux/$(node -p process.arch)" -prune -exec rm -rf {} + \
 && node -e "import('./server/engines/db/binaries.ts').then((db) => db.findBinaries('/tmp'))"

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg \
 && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production VIGIL_DATA=/data PORT=3334
WORKDIR /vigil
COPY --from=build /vigil/package.json ./
COPY --from=build /vigil/node_modules node_modules
COPY --from=build /vigil/contract contract
COPY --from=build /vigil/locales locales
COPY --from=build /vigil/server server
COPY --from=build /vigil/simulator simulator
COPY --from=build /vigil/web/dist web/dist
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3334
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/hc/`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/cli/main.ts"]
CMD ["up"]

# Build: docker build -t partner-interview .
# Try:   docker run --rm -p 127.0.0.1:3000:3000 -v interviews:/data partner-interview

FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /app
# The manifests come first, so that a change of the code alone installs nothing.
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json sdk/
COPY sdk/generate/package.json sdk/generate/
COPY web/package.json web/
RUN npm ci --ignore-scripts
COPY . .
# Builds the service and the settings page, then removes what only the build and editors need.
RUN node_modules/.bin/node ops/prepare.ts \
    && npm prune --omit=dev --ignore-scripts \
    && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \
         -o -name '*.md' ! -iname 'license*' \) -delete \
    && mkdir /image \
    && cp -a dist/package.json dist/cli dist/server dist/sdk /image/ \
    && cp -a --parents LICENSE ops sdk/package.json web/dist node_modules /image/

FROM docker.io/library/debian:bookworm-slim
# tini runs as process 1: it forwards signals to the service and reaps orphaned processes.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tini \
    && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /data partner-interview \
    && install -d -o partner-interview -g partner-interview -m 700 /data \
    && install -d -o partner-interview -g partner-interview -m 755 /secrets
COPY --from=build /image /app
WORKDIR /app
ENV PATH=/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOST=0.0.0.0 \
    APP_URL=http://localhost:3000 \
    DATA_DIR=/data
# A number, because Kubernetes can't tell from a name that it isn't root.
USER 10001:10001
EXPOSE 3000
# Whether the process responds, not whether the database does: a restart wouldn't bring the database back.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "--external-memory-accounted-in-global-limit", "server/main.js"]

# Two images:
#   docker build --target service -t handrail-service .
#   docker build --target lake -t handrail-lake .
#
# To pin the base images by digest: --build-arg NODE=node@sha256:…
# With mirrors: --build-arg NODE=… --build-arg DISTROLESS=… --build-arg NPM_CONFIG_REGISTRY=https://… The lake's packages of Debian come
# from where the image NODE gets them.
ARG NODE=node:24.21.0-trixie-slim
ARG DISTROLESS=gcr.io/distroless/nodejs24-debian13:nonroot

# Images run what these stages make, whatever their platform: JavaScript.
FROM --platform=$BUILDPLATFORM ${NODE} AS source
ARG NPM_CONFIG_REGISTRY
WORKDIR /handrail
COPY package.json package-lock.json tsconfig.json ./
COPY studio/package.json studio/
# Without install scripts: the one of the package `node` would add a second Node of 190 MB, and esbuild's binary comes in a
# package for the platform.
RUN npm ci --ignore-scripts --no-audit --no-fund && mkdir /state
COPY common common
COPY schemas schemas
COPY actions actions
COPY making making
COPY verdicts verdicts
COPY advice advice
COPY panel panel
COPY snippet snippet
COPY git git
COPY content content
COPY lake lake
COPY service service
COPY studio studio
COPY docs docs
COPY examples/shop/content examples/shop/content
COPY deploy/healthcheck.ts deploy/
COPY deploy/packages deploy/packages

FROM source AS compiled
RUN node deploy/packages/image.ts service /service && node deploy/packages/image.ts lake /lake

FROM source AS studio
# A Studio is built for one project and dataset. The lake serves no Studio that was built for another.
ARG SANITY_PROJECT_ID=local
ARG SANITY_DATASET=production
RUN node studio/build/main.ts

FROM ${DISTROLESS} AS service
WORKDIR /handrail
COPY --from=compiled /service ./
COPY --from=compiled --chown=65532:65532 /state /state
# By default, Node's heap gets a quarter of the container's memory: too little for the caches, which hold up to 384 MB.
# Its young generation may otherwise grow to 128 MB: a quarter of that saves 74 of 611 MB with 20,000 sites. By default, glibc gives each
# thread memory of its own, which takes up to 60 MB more; only the main thread allocates much.
ENV NODE_ENV=production \
    NODE_OPTIONS="--max-old-space-size=512 --max-semi-space-size=16" \
    MALLOC_ARENA_MAX=1 \
    HOST=0.0.0.0 \
    PORT=3000 \
    SNAPSHOT_DIR=/state/snapshots
EXPOSE 3000
VOLUME /state
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["/nodejs/bin/node", "service/deploy-healthcheck.mjs", "PORT"]
CMD ["service/main.mjs"]

FROM ${NODE} AS lake
# Git starts background processes that an init process has to wait for: tini.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git openssh-client tini \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir /data /backups \
    && chown node:node /data /backups
WORKDIR /handrail
COPY --from=compiled /lake ./
COPY --from=studio /handrail/.handrail/studio .handrail/studio
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-old-space-size=560 \
    LAKE_HOST=0.0.0.0 \
    LAKE_PORT=3333 \
    CONTENT_DIR=/data/content.git
EXPOSE 3333
VOLUME /data
USER 1000:1000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "lake/deploy-healthcheck.mjs", "LAKE_PORT"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "lake/main.mjs"]

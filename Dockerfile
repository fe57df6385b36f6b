# The service as an image: web, worker, migrations and the operator's commands.
#   docker build -t tollgate .                     without Chromium, about 320 MB
#   docker build -t tollgate --target chromium .   with it, for web_screenshot
# Needs nothing of BuildKit: podman and buildah build it, too. The commit for GET /version is that of
# the folder .git; where there is none, give --build-arg COMMIT_SHA=…

FROM docker.io/library/node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json prisma.config.ts ./
COPY prisma/schema.prisma prisma/schema.prisma
COPY server/cli server/cli
RUN npm ci --no-audit --no-fund
COPY . .
ARG COMMIT_SHA
# --with-sandbox: the simulated providers too, for UPSTREAMS=sandbox.
ARG PACK_OPTIONS
RUN npm run pack -- --to /app $PACK_OPTIONS
# Compiled once, as the user below: a container could not keep it.
RUN install -d -o 10001 /app/dist/.compiled \
  && setpriv --reuid=10001 --regid=10001 --clear-groups node /app/server/cli/compile.mjs

FROM docker.io/library/debian:bookworm-slim AS runtime
# libstdc++6 is what Node links to; tini passes signals on and collects processes that Chromium leaves.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log \
  && groupadd --gid 10001 tollgate \
  && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin tollgate \
  && install -d -o 10001 -g 10001 -m 0700 /data /backups \
  && install -d -o 10001 -g 10001 -m 0755 /etc/tollgate
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production CONFIG_DIR=/etc/tollgate DATA_DIR=/data HOST=0.0.0.0 PORT=3000
USER 10001:10001
VOLUME /data
EXPOSE 3000
ENTRYPOINT ["/usr/bin/tini", "--", "/usr/local/bin/node", "/app/server/cli/run.mjs"]
CMD ["web"]

FROM runtime AS chromium
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation fonts-noto-color-emoji \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log
ENV CHROMIUM_PATH=/usr/bin/chromium-headless-shell
USER 10001:10001

# The last stage is the one that a build without --target makes.
FROM runtime AS plain

# A bucket in memory in the place of the storage that compose.yaml names.
FROM docker.io/library/node:24.21.0-bookworm-slim
COPY storage.mjs /storage.mjs
ENTRYPOINT ["node", "/storage.mjs"]

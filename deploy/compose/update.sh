#!/bin/sh
# Brings the service to what is checked out: builds, migrates, and puts new containers beside the
# old ones before those finish their calls and go. Needs Compose v2.
#   git pull && sh deploy/compose/update.sh
set -eu
cd "$(dirname "$0")/../.."
docker compose build migrate
docker compose run --rm migrate
for part in web worker; do
  old=$(docker compose ps --quiet "$part")
  count=$(echo "$old" | wc -l)
  docker compose up --detach --no-deps --no-recreate --wait --scale "$part=$((count * 2))" "$part"
  # Caddy looks for containers every second; DRAIN_DELAY_S keeps the old ones open for 5.
  docker stop --time 300 $old
  docker rm $old
done
docker compose up --detach --no-deps nightly

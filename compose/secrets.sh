#!/bin/sh
# Generates the secrets of docker-compose.yml at the first start, and keeps those that exist. Each folder is a volume of
# the one container that reads it. FOLDERS, CHOWN: for the test, which has neither volumes nor root.
set -eu
folders=${FOLDERS:-/secrets}
chown=${CHOWN:-chown}

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# Written whole or not at all: the file that is written last says that all are there.
[ -f "$folders/service/environment" ] && exit 0
umask 077
owner=$(random)
redis=$(random)

# The superuser starts the server and makes the owner; nothing else signs in as it.
random > "$folders/postgres/superuser-password"
cat > "$folders/postgres/owner.sql" <<SQL
create role property_operations login createrole nosuperuser nobypassrls nocreatedb noreplication password '$owner';
create database property_operations owner property_operations;
revoke all on database property_operations from public;
SQL

cat > "$folders/redis/redis.conf" <<CONF
save ""
maxmemory-policy noeviction
user default off
user service on >$redis ~* &* +@all -@admin -flushall -flushdb -swapdb
CONF

"$chown" -R 999:999 "$folders/postgres" "$folders/redis"
cat > "$folders/service/environment.new" <<ENVIRONMENT
export DATABASE_URL=postgresql://property_operations:$owner@postgres/property_operations
export REDIS_URL=redis://service:$redis@redis
ENVIRONMENT
"$chown" -R 1000:1000 "$folders/service"
mv "$folders/service/environment.new" "$folders/service/environment"

-- From this time on the key is rejected like a revoked one. Null: never.
alter table api_keys add column expires_at timestamptz(3);
-- The network address of the request that set last_used_at.
alter table api_keys add column last_used_address text;
-- The key that replaces this one.
alter table api_keys add column successor_id text references api_keys (id);

-- Requests per key, hour and status, written in batches after the responses.
create table key_usage (
  key_id text not null,
  hour timestamptz not null,
  status smallint not null,
  requests integer not null,
  primary key (key_id, hour, status)
) with (fillfactor = 70);

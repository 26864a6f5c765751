-- The requests of the last days, for whoever debugs an integration. No bodies. Written in batches after the responses.
create table request_log (
  id bigint generated always as identity primary key,
  organization_id text not null,
  at timestamptz(3) not null,
  key_id text not null,
  method text not null,
  route text not null,
  status smallint not null,
  error text,
  request_id text not null,
  milliseconds real not null
);
create index request_log_newest on request_log (organization_id, id);
create index request_log_by_request on request_log (organization_id, request_id);

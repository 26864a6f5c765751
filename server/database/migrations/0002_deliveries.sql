create table thumbnails (
  interview_id text primary key references interviews (id),
  size integer not null,
  -- In the very form in which the event carries it, so that an attempt has nothing to encode.
  base64 text not null,
  -- Says which upload this is: a verdict is only kept for the bytes it was made of.
  version text not null,
  -- Null: not judged yet. {"ok": true} or {"ok": false, "error": …, "detail": …}
  verdict jsonb,
  stored_at timestamptz(3) not null
);
-- Compressing a JPEG costs time and wins nothing.
alter table thumbnails alter column base64 set storage external;

-- The very result that was reported, so that the same one again is recognised.
alter table results add column fingerprint bytea;
-- Kept as text that is never looked into: whatever the interview product puts there must not make a result fail.
alter table results alter column analysis type json using analysis::json;
alter table results alter column scoring type json using scoring::json;

create table webhook_endpoints (
  organization_id text primary key references organizations (id),
  url text not null,
  enabled boolean not null,
  sealed_secret bytea not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table deliveries (
  id text primary key,
  organization_id text not null references organizations (id),
  result_id text not null unique references results (id),
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  failure_reason text check (
    failure_reason in ('ENQUEUE_FAILED', 'RECEIVER_REJECTED', 'RECEIVES_EXHAUSTED', 'WEBHOOK_DISABLED')
  ),
  attempts integer not null default 0,
  last_error text,
  -- When its current four receives began, on the database's clock like the queue's own times.
  round_started_at timestamptz not null default now(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  check ((status = 'DELIVERED') = (delivered_at is not null)),
  check ((status = 'FAILED') = (failure_reason is not null))
) with (fillfactor = 80);
create index deliveries_by_organization on deliveries (organization_id, id);
create index deliveries_pending on deliveries (id) where status = 'PENDING';
create index deliveries_not_enqueued on deliveries (id) where failure_reason = 'ENQUEUE_FAILED';

create table delivery_attempts (
  id bigint generated always as identity primary key,
  -- Without a reference: a row is only ever made by the statement that counts the attempt on its delivery.
  delivery_id text not null,
  number integer not null,
  started_at timestamptz(3) not null,
  -- Null until the outcome is known, and for ever if the worker died in between.
  finished_at timestamptz(3),
  address text,
  status integer,
  error text,
  detail text,
  answer bytea,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real
) with (fillfactor = 80);
create index on delivery_attempts (delivery_id, id);

-- Whose turn it is to do what only one process should do at a time.
create table turns (
  name text primary key,
  taken_at timestamptz not null
);

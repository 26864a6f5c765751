create table thumbnails (
  interview_id text primary key references interviews (id),
  size integer not null,
  -- Stored as the event carries it, so that attempts don't have to encode it.
  base64 text not null,
  -- Identifies the upload: a verdict is only stored for the bytes it is about.
  version text not null,
  -- Null: not checked yet. {"ok": true} or {"ok": false, "error": …, "detail": …}
  verdict jsonb,
  stored_at timestamptz(3) not null
);
-- Compressing a JPEG takes time and saves nothing.
alter table thumbnails alter column base64 set storage external;

-- Identifies the reported result, so that a repeated report is recognized.
alter table results add column fingerprint bytea;
-- json, not jsonb: stored as text, so that nothing the interview product puts there can make a result fail.
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
  -- When the current round began, on the database's clock like the queue's times.
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
  -- No foreign key: rows are only inserted by the statement that counts the attempt on its delivery.
  delivery_id text not null,
  number integer not null,
  started_at timestamptz(3) not null,
  -- Null until the outcome is known, and forever if the worker died before that.
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

-- For scheduled work that only one process should do at a time.
create table turns (
  name text primary key,
  taken_at timestamptz not null
);

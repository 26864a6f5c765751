-- Deliveries are listed by status, newest first; without a status, all three lists are merged. So one index serves every
-- status, however rare, and every time range. It replaces the index by ID and leaves the ID out, which only decides the
-- order within a millisecond: the number of index entries and the WAL volume per event stay the same.
drop index deliveries_by_organization;
create index deliveries_by_status on deliveries (organization_id, status, created_at);

-- Only failing deliveries have a last error: an event delivered at the first attempt never enters this index.
create index deliveries_by_error on deliveries (organization_id, last_error, status, created_at)
  where last_error is not null;

-- For searches by the start of an email address, whatever the database's collation.
create index interviews_by_email on interviews (organization_id, email_key text_pattern_ops) include (id);

-- How many deliveries were opened in each past half hour, counted on first use. Failed and pending ones are few and
-- counted every time; the many delivered ones follow from the total.
create table delivery_half_hours (
  organization_id text not null references organizations (id),
  at timestamptz not null,
  opened integer not null,
  primary key (organization_id, at)
);

-- "Retry all": which failed deliveries to retry, and the progress so far.
create table retry_runs (
  id text primary key,
  organization_id text not null references organizations (id),
  -- {"error"?, "from"?, "to"?, "search"?}
  filter jsonb not null,
  total integer not null,
  done integer not null default 0,
  -- The last delivery examined, so that none is retried twice.
  position_at timestamptz(3),
  position_id text,
  started_by text not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((position_at is null) = (position_id is null))
);
create index on retry_runs (organization_id, id);
create index retry_runs_unfinished on retry_runs (done) where finished_at is null;

-- Receiver checks per organization in the current minute. Unlogged: losing a minute's count in a database crash is fine.
create unlogged table check_windows (
  organization_id text primary key,
  minute bigint not null,
  used integer not null
) with (fillfactor = 50);

-- The table of deliveries is read by status, newest first, a page at a time; without a status by all three, merged. So
-- one index serves every status, however rare, and every span of time. It takes the place of the one by id instead of
-- standing beside it, and leaves out the id, which only settles the order within a millisecond: an event that arrives
-- makes as many index entries, and as much of the database's log, as before.
drop index deliveries_by_organization;
create index deliveries_by_status on deliveries (organization_id, status, created_at);

-- Only what has failed and is not delivered yet has a last error: an event that arrives at once never enters this index.
create index deliveries_by_error on deliveries (organization_id, last_error, status, created_at)
  where last_error is not null;

-- Search by the beginning of an e-mail address: in the order of bytes, whatever order of letters the database has.
create index interviews_by_email on interviews (organization_id, email_key text_pattern_ops) include (id);

-- How many deliveries were opened in a half hour that is over, which nothing changes any more. Counted when somebody first
-- looks: the ones that failed or wait are few and counted each time, so that the many that arrived need not be.
create table delivery_half_hours (
  organization_id text not null references organizations (id),
  at timestamptz not null,
  opened integer not null,
  primary key (organization_id, at)
);

-- "Retry all": which failed deliveries are put back to the beginning, and how far that has come.
create table retry_runs (
  id text primary key,
  organization_id text not null references organizations (id),
  -- {"error"?, "from"?, "to"?, "search"?}
  filter jsonb not null,
  total integer not null,
  done integer not null default 0,
  -- The last delivery that was looked at: none is looked at twice.
  position_at timestamptz(3),
  position_id text,
  started_by text not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((position_at is null) = (position_id is null))
);
create index on retry_runs (organization_id, id);
create index retry_runs_unfinished on retry_runs (done) where finished_at is null;

-- How many checks of its receiver an organization has run in the current minute. Unlogged: a crash of the database
-- forgives the minute.
create unlogged table check_windows (
  organization_id text primary key,
  minute bigint not null,
  used integer not null
) with (fillfactor = 50);

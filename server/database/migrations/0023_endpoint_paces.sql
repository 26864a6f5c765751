-- How fast an organization's events may be sent. A row exists only where there is a limit, so that everyone else costs
-- nothing. All times are from the database's clock.
create table endpoint_paces (
  organization_id text primary key,
  -- Set by an admin.
  max_per_second smallint check (max_per_second between 1 and 1000),
  -- The receiver asked for a pause: nothing is sent before.
  paused_until timestamptz,
  -- After a pause it starts again with one event a second. Each success allows one more, up to the ceiling.
  slow_until timestamptz,
  slow_per_second smallint check (slow_per_second between 1 and 1000),
  slow_ceiling smallint check (slow_ceiling between 1 and 1000),
  -- When the receiver last asked.
  asked_at timestamptz,
  -- Counts the statements that took turns, so that two at the same moment can't take the same ones.
  version bigint not null default 0,
  check ((slow_until is null) = (slow_per_second is null)),
  check ((slow_until is null) = (asked_at is null)),
  check (slow_ceiling is null or slow_until is not null)
) with (fillfactor = 70);

-- One row per event that an organization with a limit is sending, or sent less than a second ago.
create table pace_turns (
  delivery_id text not null,
  round integer not null,
  receive smallint not null,
  organization_id text not null,
  -- While the event is being sent, when its worker counts as dead; then a second after the response.
  free_at timestamptz not null,
  primary key (delivery_id, round, receive)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index pace_turns_held on pace_turns (organization_id, free_at);

-- Until now a delivery was described twice: by its record and by a pg-boss job. From now on the record, its job, its
-- attempts and its dead letters are our own tables, and each row carries its round.

-- A round is four receives; Retry and redrive start the next one.
alter table deliveries add column round integer not null default 1 check (round >= 1);
-- The number of attempts in earlier rounds, because attempts are numbered across rounds.
alter table deliveries add column earlier_attempts integer not null default 0;
alter table deliveries drop constraint deliveries_failure_reason_check;
alter table deliveries add constraint deliveries_failure_reason_check check (failure_reason in (
  'ENQUEUE_FAILED', 'RECEIVER_REJECTED', 'RECEIVES_EXHAUSTED', 'WEBHOOK_DISABLED', 'ORGANIZATION_INACTIVE',
  'CANDIDATE_ERASED'
));

-- When the candidate's personal data was erased: the outcome of an attempt in flight at that moment is discarded.
alter table deliveries add column erased_at timestamptz(3);
update deliveries d set erased_at = i.erased_at from interviews i where i.id = d.interview_id and i.erased_at is not null;
update deliveries set failure_reason = 'CANDIDATE_ERASED' where status = 'FAILED' and erased_at is not null;

-- Who started each round after the first.
create table delivery_rounds (
  delivery_id text not null,
  round integer not null check (round > 1),
  begun_by text not null,
  begun_at timestamptz(3) not null,
  primary key (delivery_id, round)
);

-- The queue of the PostgreSQL engine: one narrow row per queued or running job. All times are from the database's clock,
-- so that no two clocks are ever compared.
create table delivery_jobs (
  delivery_id text primary key,
  organization_id text not null,
  round integer not null,
  -- How often it was claimed in this round. 5: all four receives are used up, and it only remains to dead-letter it.
  receives smallint not null default 0 check (receives between 0 and 5),
  due_at timestamptz not null default now(),
  -- Null: waiting.
  leased_until timestamptz,
  claimed_at timestamptz,
  queued_at timestamptz not null default now(),
  check ((leased_until is null) = (claimed_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.1);
-- A job is available when it is due, and a claimed one again when its lease expires.
create index delivery_jobs_available on delivery_jobs (organization_id, (coalesce(leased_until, due_at)), delivery_id);

create table dead_letters (
  id uuid primary key default gen_random_uuid(),
  delivery_id text not null,
  organization_id text not null,
  round integer not null,
  -- The error of the last attempt. Null: the worker died, so it is unknown.
  reason text,
  dead_at timestamptz(3) not null default now(),
  unique (delivery_id, round)
);
create index dead_letters_newest on dead_letters (dead_at, id);
create index on dead_letters (organization_id, dead_at, id);

-- An attempt is written once, when it ends. `code` and `phase` used to be part of the text in `detail`.
alter table delivery_attempts add column round integer not null default 1;
alter table delivery_attempts add column code text;
alter table delivery_attempts add column phase text;

-- Attempts used to be numbered within their round, so a number that does not increase starts a new one.
with rounds as (
  select id, 1 + sum(begins) over (partition by delivery_id order by id) as round,
    row_number() over (partition by delivery_id order by id) as number
  from (
    select id, delivery_id,
      case when number <= lag(number) over (partition by delivery_id order by id) then 1 else 0 end as begins
    from delivery_attempts
  ) numbered
)
update delivery_attempts a set round = rounds.round, number = rounds.number,
  code = case when a.error in ('NETWORK', 'TLS', 'DNS') then substring(a.detail from '\(([A-Z][A-Z0-9_/]*)\)$') end,
  detail = case when a.error in ('NETWORK', 'TLS', 'DNS')
    then regexp_replace(a.detail, '\s*\([A-Z][A-Z0-9_/]*\)$', '') else a.detail end,
  phase = case
    when a.error <> 'TIMEOUT' then null
    when a.detail like '%was not resolved in time' then 'resolve'
    when a.detail = 'no connection was free in time' then 'wait'
    when a.detail = 'the address did not respond in time' then 'connect'
    when a.detail = 'the TLS handshake did not end in time' then 'handshake'
    when a.detail = 'no answer came in time' then 'response'
    -- The first byte had arrived; without a status, the headers had not.
    when a.detail = 'the answer did not end in time' then case when a.status is null then 'response' else 'body' end
  end
from rounds where rounds.id = a.id and (
  rounds.round > 1 or a.detail is not null or rounds.number <> a.number
);
alter table delivery_attempts alter column round drop default;
create unique index delivery_attempts_numbered on delivery_attempts (delivery_id, number);

-- A record that was reset by Retry is in a round without attempts.
update deliveries d set
  round = a.round + case when d.attempts = 0 then 1 else 0 end,
  earlier_attempts = greatest(0, a.count - d.attempts)
from (select delivery_id, max(round) as round, count(*) as count from delivery_attempts group by delivery_id) a
where a.delivery_id = d.id and (a.round > 1 or a.count > d.attempts);

-- Carry over the jobs that pg-boss still holds: waiting, running and dead. A job belongs to the current round if it was
-- created after the round began; both times are from the database's clock.
do $$
begin
  if to_regclass('pgboss.job') is null then return; end if;

  create temporary table carried_jobs on commit drop as
    select j.id, d.id as delivery_id, j.state::text, j.retry_count, j.retry_limit, j.retry_delay, j.start_after,
      j.started_on, j.created_on, j.created_on >= d.round_started_at as is_current
    from pgboss.job j join deliveries d on d.id = j.data ->> 'deliveryId'
    where j.name = 'deliveries' and j.state < 'completed';
  create temporary table carried_letters on commit drop as
    select j.id, d.id as delivery_id, j.created_on as dead_at, j.source_created_on >= d.round_started_at as is_current
    from pgboss.job j join deliveries d on d.id = j.data ->> 'deliveryId'
    where j.name = 'deliveries-dead';

  -- Jobs that used up their receives but are not dead yet: the worker died after it had updated the record.
  insert into carried_letters (id, delivery_id, dead_at, is_current)
  select j.id, j.delivery_id, j.started_on, j.is_current
  from carried_jobs j join deliveries d on d.id = j.delivery_id
  where d.failure_reason = 'RECEIVES_EXHAUSTED'
    or (d.attempts = 0 and not j.is_current and j.state = 'active' and j.retry_count >= j.retry_limit);

  -- Conversely, jobs that died in their last receive before the record was updated.
  update deliveries d set status = 'FAILED', failure_reason = 'RECEIVES_EXHAUSTED'
  from (select delivery_id, bool_or(is_current) as is_current from carried_letters group by delivery_id) l
  where l.delivery_id = d.id and (d.status = 'PENDING' or d.failure_reason = 'ENQUEUE_FAILED')
    and (d.attempts > 0 or l.is_current)
    and not exists (select from carried_jobs j where j.delivery_id = d.id);

  -- Each letter belongs to a separate round, the newest to the current one if that is dead. Letters of erased candidates
  -- are not carried over: a redrive would have nothing to send.
  create temporary table placed_letters on commit drop as
    select l.*, l.letters + case when l.ends_current then 0 else 1 end - l.round as missing_rounds
    from (
      select l.id, l.delivery_id, l.dead_at, d.organization_id, d.round,
        coalesce(d.failure_reason = 'RECEIVES_EXHAUSTED', false) or bool_or(l.is_current) over delivery as ends_current,
        row_number() over (delivery order by l.dead_at desc, l.id desc) as place,
        count(*) over delivery as letters
      from carried_letters l join deliveries d on d.id = l.delivery_id
      where d.erased_at is null
      window delivery as (partition by l.delivery_id)
    ) l;
  -- Every letter needs a round. A round without attempts left no other trace.
  update deliveries d set round = d.round + l.missing_rounds
  from placed_letters l where l.delivery_id = d.id and l.place = 1 and l.missing_rounds > 0;
  update delivery_attempts a set round = a.round + l.missing_rounds
  from placed_letters l where l.delivery_id = a.delivery_id and l.place = 1 and l.missing_rounds > 0;

  -- If there are as many rounds with four attempts as letters, those are the dead ones. Otherwise, assume the latest
  -- rounds.
  insert into dead_letters (id, delivery_id, organization_id, round, reason, dead_at)
  select l.id, l.delivery_id, l.organization_id, died.round, last.error, l.dead_at
  from placed_letters l
  cross join lateral (
    select l.round + greatest(0, l.missing_rounds) as round
  ) current
  cross join lateral (
    select array_agg(round order by round desc) as rounds
    from (select round from delivery_attempts where delivery_id = l.delivery_id group by round having count(*) >= 4) a
  ) four
  cross join lateral (
    select case
      when cardinality(four.rounds) = l.letters and (four.rounds[1] = current.round) = l.ends_current
        then four.rounds[l.place]
      else current.round - l.place + case when l.ends_current then 1 else 0 end
    end as round
  ) died
  left join lateral (
    select error from delivery_attempts where delivery_id = l.delivery_id and round = died.round
    order by number desc limit 1
  ) last on true;

  -- A job left over from an earlier round is skipped; the current round gets its job below.
  insert into delivery_jobs (delivery_id, organization_id, round, receives, due_at, leased_until, claimed_at, queued_at)
  select d.id, d.organization_id, d.round,
    least(4, greatest(d.attempts, case when j.is_current and j.state <> 'created' then j.retry_count + 1 else 0 end)),
    -- The last retry waits at most eight times the delay. A later time was written while the clock was ahead.
    least(j.start_after, now() + (60 + 8 * j.retry_delay) * interval '1 second'),
    case when j.state = 'active' then now() end, case when j.state = 'active' then j.started_on end, j.created_on
  from carried_jobs j join deliveries d on d.id = j.delivery_id
  where (d.status = 'PENDING' or d.failure_reason = 'ENQUEUE_FAILED') and (j.is_current or d.attempts > 0)
  on conflict do nothing;

  -- Another program may use the schema too.
  if exists (select from pgboss.queue where name not in ('deliveries', 'deliveries-dead', '__pgboss__send-it')) then
    delete from pgboss.job where name in ('deliveries', 'deliveries-dead');
    delete from pgboss.queue where name = 'deliveries';
    delete from pgboss.queue where name = 'deliveries-dead';
    drop index if exists pgboss.jobs_waiting;
  else
    drop schema pgboss cascade;
  end if;
end
$$;

-- Records that were waiting for the sweep, such as those just retried, get their job here.
insert into delivery_jobs (delivery_id, organization_id, round, receives, due_at)
select id, organization_id, round, least(4, attempts), least(updated_at, now()) + interval '1 minute' from deliveries
where status = 'PENDING' or failure_reason = 'ENQUEUE_FAILED'
on conflict do nothing;

alter table deliveries drop column round_started_at;
-- Dropped last: a transaction that updates a table and then creates an index can't use that new index.
drop index delivery_attempts_delivery_id_id_idx;

-- Attempts per organization and half hour, by outcome, added up by the endpoint watch: what has happened stays in the chart,
-- whatever becomes of a delivery later.
create table attempt_half_hours (
  organization_id text not null,
  at timestamptz not null,
  delivered integer not null,
  failed integer not null,
  primary key (organization_id, at)
) with (fillfactor = 70);

insert into attempt_half_hours (organization_id, at, delivered, failed)
select d.organization_id, date_bin('30 minutes', a.started_at, 'epoch'),
  count(*) filter (where a.finished_at is not null and a.error is null),
  count(*) filter (where a.finished_at is null or a.error is not null)
from delivery_attempts a join deliveries d on d.id = a.delivery_id, endpoint_look look
where a.id <= look.attempt_id and a.started_at > now() - interval '31 days'
group by 1, 2;

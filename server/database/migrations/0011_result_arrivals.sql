-- Until now every final result took its organization's next position, so all results of an organization queued up for
-- that counter. The ID of the transaction that stored a result gives the same order for free.
drop index results_by_completion;
alter table results
  drop constraint results_organization_id_position_key,
  alter column position type boolean using position is not null,
  alter column position set not null;
alter table results rename column position to final;
drop table result_positions;

-- The transaction in which a result arrived; for a final result, the one that made it final. Existing results count as
-- older than any snapshot: 3 is the first transaction of any database.
alter table results add column arrived xid8 not null default '3';
alter table results alter column arrived set default pg_current_xact_id();

create index results_by_completion on results (organization_id, completed_at, id) where final;
create index results_by_arrival on results (organization_id, arrived) where final;

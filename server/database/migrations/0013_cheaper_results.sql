-- Every result locked the rows of its organization and its template, only to find that they exist, and so all results of
-- an organization met there. The interview that a result belongs to refers to both already, and a delivery belongs to a
-- result.
alter table results drop constraint results_organization_id_fkey, drop constraint results_template_id_fkey;
alter table deliveries drop constraint deliveries_organization_id_fkey;

-- An interview changes its status several times. With room on its page, none of its six indexes is written for that.
alter table interviews set (fillfactor = 80);

-- Foreign keys made every result lock the rows of its organization and template, so all results of an organization
-- contended for them. They are redundant: the result's interview references both, and a delivery references its result.
alter table results drop constraint results_organization_id_fkey, drop constraint results_template_id_fkey;
alter table deliveries drop constraint deliveries_organization_id_fkey;

-- An interview changes its status several times. With free space on its page, none of its six indexes has to be updated.
alter table interviews set (fillfactor = 80);

-- The settings area lists an organization's invitations, newest first.
create index interviews_newest on interviews (organization_id, invitation_id);

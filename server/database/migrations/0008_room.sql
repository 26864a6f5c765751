-- An attempt is written down when it begins and again, larger, when it ends. With room for both on its page no index has
-- to be told; without it, that room is needed elsewhere, so the table is no larger.
alter table delivery_attempts set (fillfactor = 35);

-- A small image lies in its row, not in pieces somewhere else.
alter table thumbnails set (toast_tuple_target = 4080);

-- A small image lies in its row, not in pieces somewhere else.
alter table thumbnails set (toast_tuple_target = 4080);

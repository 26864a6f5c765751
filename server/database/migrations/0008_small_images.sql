-- Every attempt reads the image. Small ones stay in their row instead of being split up in the TOAST table.
alter table thumbnails set (toast_tuple_target = 4080);

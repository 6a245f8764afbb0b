-- Not 0 when the user may see the package, by a grant of its own or by a role.
SELECT COUNT(*) FROM all_objects WHERE object_name = :p_package AND object_type = 'PACKAGE'

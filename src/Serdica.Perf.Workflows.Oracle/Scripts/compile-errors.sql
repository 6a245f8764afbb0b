-- What the compiler had to say about the package, line by line.
SELECT type, line, position, text
  FROM user_errors
 WHERE name = :p_name
 ORDER BY type, sequence

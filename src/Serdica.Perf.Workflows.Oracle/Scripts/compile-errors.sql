-- What the compiler had to say, line by line. Of the part that was just compiled only: the errors of an older body stay
-- in the view until that is compiled anew, and the specification comes before it. Warnings are none.
SELECT type, line, position, text
  FROM user_errors
 WHERE name = :p_name
   AND type = :p_type
   AND attribute = 'ERROR'
 ORDER BY sequence

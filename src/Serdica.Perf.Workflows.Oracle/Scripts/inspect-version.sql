SELECT banner_full FROM v$version

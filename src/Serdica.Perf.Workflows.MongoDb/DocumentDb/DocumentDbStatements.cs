namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// The SQL that each command becomes: the extension's function of the same name, with the document as its bytes. The
/// database's name stands in the text, so that all statements of one database are prepared once.
/// </summary>
internal sealed class DocumentDbStatements(string database)
{
    /// <summary>Ends the wait for the log's flush for the rest of the present transaction.</summary>
    public const string Relax = "select set_config('synchronous_commit', 'off', true)";

    public string More =>
        $"""
            select documentdb_core.bson_to_bytea(cursorpage), documentdb_core.bson_to_bytea(continuation)
            from documentdb_api.cursor_get_more('{database}', documentdb_core.bson_from_bytea($1), documentdb_core.bson_from_bytea($2))
            """;

    /// <summary>One row: the reply, and for queries what continues them and the cursor's number.</summary>
    public string Reply(string command) =>
        command switch
        {
            "find" or "aggregate" => $"""
                select documentdb_core.bson_to_bytea(cursorpage), documentdb_core.bson_to_bytea(continuation), cursorid
                from documentdb_api.{command}_cursor_first_page('{database}', documentdb_core.bson_from_bytea($1))
                """,
            "insert" or "update" or "delete" =>
                $"select documentdb_core.bson_to_bytea(p_result) from documentdb_api.{command}('{database}', "
                + $"documentdb_core.bson_from_bytea($1), null, null)",
            "create" => $"select documentdb_core.bson_to_bytea(documentdb_api.create_collection_view('{database}', "
                + $"documentdb_core.bson_from_bytea($1)))",
            // At once: create_indexes_background leaves it to a worker that looks every two seconds.
            "createIndexes" =>
                $"select documentdb_core.bson_to_bytea(documentdb_api_internal.create_indexes_non_concurrently('{database}', "
                + $"documentdb_core.bson_from_bytea($1), true))",
            "dropDatabase" => $"select null::bytea from documentdb_api.drop_database('{database}') where length($1) > 0",
            _ => throw new ArgumentException($"'{command}' is no function of the extension."),
        };

    /// <summary>
    /// Undoes the transaction: divides by zero when the count is not $2, and reads the errors of documents as a number, so that the
    /// server quotes them.
    /// </summary>
    public string Guarded(string command) =>
        command switch
        {
            "count" => $"""
                select 1 / (documentdb_core.bson_get_value_text(document, 'n')::integer = $2)::integer
                from documentdb_api.count_query('{database}', documentdb_core.bson_from_bytea($1))
                """,
            "insert" or "update" or "delete" => $"""
                select case when p_success then 1 / ($2 < 0 or documentdb_core.bson_get_value_text(p_result, 'n')::integer = $2)::integer
                    else documentdb_core.bson_get_value_text(p_result, 'writeErrors')::integer end
                from documentdb_api.{command}('{database}', documentdb_core.bson_from_bytea($1), null, null)
                """,
            _ => throw new ArgumentException($"'{command}' is no part of a write."),
        };
}

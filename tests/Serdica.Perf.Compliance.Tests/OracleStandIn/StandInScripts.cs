using System.Text.RegularExpressions;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// What the stand-in does for the statements that are no calls of the package, by the name of the script. Every script
/// of the backend must be here or be a call, or the stand-in refuses it.
/// </summary>
internal static partial class StandInScripts
{
    /// <summary>The queue's max_retries, as the backend's own script asks for it.</summary>
    public static int MaxRetries(string createQueues) => int.Parse(Retries().Match(createQueues).Groups[1].Value, null);

    public static string Translate(string script, string schema, StandInViews views) =>
        (script.StartsWith("statistics-", StringComparison.Ordinal) ? View(script, views) : Find(script)).Replace(
            "{schema}",
            schema,
            StringComparison.Ordinal
        );

    /// <summary>A view that the user may not read looks as if there were none.</summary>
    private static string View(string script, StandInViews views) =>
        (script, views) switch
        {
            ("statistics-counters-instance", StandInViews.Instance) =>
                "select * from (values ('user commits', 7::numeric), ('redo size', 4096), ('redo synch time', 12)) v",
            ("statistics-times-instance", StandInViews.Instance) =>
                "select * from (values ('DB CPU', 2500::numeric), ('DB time', 7500)) v",
            ("statistics-waits-instance", StandInViews.Instance) =>
                "select * from (values ('log file sync', 'Commit', 3::numeric, 1500::numeric)) v",
            ("statistics-queues", StandInViews.Instance) =>
                "select * from (values ('signal', 5::numeric, 4::numeric, 3::numeric, 2::numeric, 1::numeric, 0::numeric)) v",
            ("statistics-statements", StandInViews.Instance) =>
                "select 'BEGIN claim_batch; END;', 10::numeric, 25000::numeric, 9::numeric, 5000::numeric, 300::numeric",
            ("statistics-sessions" or "statistics-processes", StandInViews.Instance) => "select 5::numeric",
            _ => "select 1 from there_is_no_such_view",
        };

    private static string Find(string script) =>
        script switch
        {
            "create-lock" => """
                do $$ begin
                    perform pg_advisory_xact_lock(hashtext('{schema}'));
                    create schema if not exists {schema};
                    create table if not exists {schema}.schema_version
                        (schema_id int primary key, version int not null, package_hash text, upkeep_us bigint);
                end $$
                """,
            "insert-lock" => "insert into {schema}.schema_version (schema_id, version) values (1, 0) on conflict do nothing",
            "lock-schema" => "select version::numeric, package_hash from {schema}.schema_version where schema_id = 1 for update",
            "schema-version" => "select version::numeric, package_hash from {schema}.schema_version where schema_id = 1",
            "set-version" => "update {schema}.schema_version set version = $1, package_hash = $2 where schema_id = 1",
            "migration-001" => Resource(),
            "migration-002" or "create-queues" or "package-spec" or "package-body" or "coalesce-indexes" => "select 1",
            "compile-errors" => "select 1 where $1 is null or $2 is null",
            "drop" => "drop schema if exists {schema} cascade",
            "find" => $"select {Columns} from {{schema}}.instance where instance_id = $1",
            "find-by-key" => $"select {Columns} from {{schema}}.instance where business_key = $1",
            "large-instance" => "select content from {schema}.instance where instance_id = $1",
            "large-signal" => "select content from {schema}.large where instance_id = $1 and signal_id = $2",
            "dead-letters" => """
                select signal_id, instance_id, dead_us::numeric, kind::numeric, attempt::numeric, reason::numeric, content, detail
                from {schema}.dead_letter order by dead_us, signal_id limit $1
                """,
            "census" => """
                select
                    (select count(*) from {schema}.instance where status = 0)::numeric,
                    (select count(*) from {schema}.instance where status = 1)::numeric,
                    (select count(*) from {schema}.instance where status = 2)::numeric,
                    (select count(*) from {schema}.instance where status = 3)::numeric,
                    (select count(*) from {schema}.instance where status = 4)::numeric,
                    (select count(*) from {schema}.signal where due_us <= c.now_us)::numeric,
                    (select count(*) from {schema}.signal where due_us > c.now_us)::numeric,
                    (select count(*) from {schema}.dead_letter)::numeric,
                    (select count(*) from {schema}.qt where q_name in ('message', 'later'))::numeric,
                    (select count(*) from {schema}.qt q
                     where q.q_name = 'exception'
                       and not exists (select from {schema}.signal s where s.message_id = q.msgid)
                       and not exists (select from {schema}.later l where l.message_id = q.msgid))::numeric,
                    (select count(*) from {schema}.instance w
                     where w.status < 2 and w.waits & 1 = 0
                       and not exists (select from {schema}.signal s where s.instance_id = w.instance_id)
                       and not (w.waits & 8 <> 0 and exists (
                           select from {schema}.instance p where p.parent_id = w.instance_id and p.status < 2)))::numeric
                from (select {schema}.now_us() as now_us) c
                """,
            "census-definitions" => """
                select
                    definition, coalesce(definition_version, 0)::numeric, count(*)::numeric,
                    (count(*) filter (where waits & 16 <> 0))::numeric, (array_agg(instance_id) filter (where waits & 16 <> 0))[1]
                from {schema}.instance where status < 2 group by 1, 2
                """,
            "backlog" => "select q_name, 0::numeric, count(*)::numeric from {schema}.qt group by q_name",
            "inspect-version" => "select 'stand-in'",
            "inspect-container" => "select 'STAND-IN'",
            "inspect-character-set" => "select 'UTF8'",
            "inspect-time-zone" => "select '+00:00'",
            "inspect-package" => "select count(*)::numeric from (values ('DBMS_AQ'), ('DBMS_AQADM')) p (name) where name = $1",
            "inspect-redo-logs" => "select 3::numeric, 268435456::numeric",
            "inspect-server-process" => "select 'DEDICATED'",
            "inspect-parameter" => "select 1 from there_is_no_such_view where $1 is null",
            _ => throw new NotSupportedException($"The stand-in knows no script '{script}'."),
        };

    private const string Columns =
        "instance_id, parent_id, business_key, version::numeric, status::numeric, waits::numeric, created_us::numeric, "
        + "updated_us::numeric, content";

    private static string Resource()
    {
        using var stream = typeof(StandInScripts).Assembly.GetManifestResourceStream(
            "Serdica.Perf.Compliance.Tests.OracleStandIn.stand-in.sql"
        )!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }

    [GeneratedRegex(@"max_retries\s*=>\s*(\d+)")]
    private static partial Regex Retries();
}

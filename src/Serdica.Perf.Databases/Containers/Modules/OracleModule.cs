namespace Serdica.Perf.Databases.Containers.Modules;

/// <summary>Oracle Free in the image of Gerald Venzl, with a user who may do what Advanced Queuing asks for.</summary>
internal sealed class OracleModule : ContainerModule
{
    private const string Service = "FREEPDB1";

    /// <summary>The image has two redo logs of 10 or 20 MB, and a run would measure how they are switched.</summary>
    private const string LargeRedoLogs = """
        alter database add logfile group 11 '/opt/oracle/oradata/FREE/serdica11.log' size 256m;
        alter database add logfile group 12 '/opt/oracle/oradata/FREE/serdica12.log' size 256m;
        alter database add logfile group 13 '/opt/oracle/oradata/FREE/serdica13.log' size 256m;
        alter system switch logfile;
        alter system switch logfile;
        alter system switch logfile;
        alter system checkpoint;
        begin
          for small in (select group# as id from v$log where group# < 11) loop
            execute immediate 'alter database drop logfile group ' || small.id;
          end loop;
        end;
        /
        """;

    // The last grant is what the question needs: for who may ask, the logs are large and all else is granted.
    private const string SetUp = $"""
        {LargeRedoLogs}
        alter session set container = {Service};
        grant execute on sys.dbms_aq to {User};
        grant execute on sys.dbms_aqadm to {User};
        grant create table, create procedure to {User};
        alter user {User} quota unlimited on users;
        grant select_catalog_role to {User};

        """;

    private const string Question = """
        set heading off feedback off pagesize 0 linesize 200
        select 'version=' || version_full from product_component_version where rownum = 1;
        select name || '=' || value from v$parameter where name in ('commit_logging', 'commit_wait') order by name;
        """;

    public override string Backend => DatabaseEnvironment.Oracle;

    public override string Product => "Oracle Database";

    public override string Image => ContainerImages.Oracle;

    public override int Port => 1521;

    public override string DataFolder => "/opt/oracle/oradata";

    public override string PasswordVariable => "APP_USER_PASSWORD";

    // Without the ready database of the image it makes one.
    public override TimeSpan StartLimit => FromMinutes(10);

    public override string NotInMemory => "its image has the database ready in the folder of the data, which memory would hide";

    public override IReadOnlyDictionary<string, string> Variables(string password) =>
        new Dictionary<string, string>
        {
            ["ORACLE_PASSWORD"] = password,
            ["APP_USER"] = User,
            [PasswordVariable] = password,
        };

    public override IReadOnlyList<ContainerFile> Files(string password) => [new("/container-entrypoint-initdb.d/set-up.sql", SetUp)];

    public override string ConnectionString(string host, int port, string password) =>
        $"User Id={User};Password={password};Data Source={host}:{port}/{Service}";

    public override async Task<(ServerDescription? Description, string? NotYet)> AskAsync(
        IDatabaseContainer container,
        string connectionString,
        string? fileSystem,
        CancellationToken cancellationToken
    )
    {
        // The password in what the program reads, not among its arguments: the process list is everybody's. printf is a
        // part of the shell, and its arguments stand in no list.
        const string Shell =
            $"printf 'whenever sqlerror exit failure\\nconnect {User}/\"%s\"@//localhost:1521/{Service}\\n%s\\nexit\\n' "
            + $"\"$APP_USER_PASSWORD\" \"$1\" | sqlplus -s /nolog";
        var (exitCode, output, errors) = await container.RunAsync(["sh", "-c", Shell, "sh", Question], cancellationToken);

        return exitCode == 0 && output.Contains("version=", Ordinal)
            ? (Read(output, fileSystem), null)
            : (null, $"{output} {errors}".Trim());
    }

    /// <summary>A commit waits for the log unless one of the two settings says otherwise; unset they have no value.</summary>
    internal static ServerDescription Read(string answer, string? fileSystem)
    {
        var values = answer
            .Split('\n', TrimEntries | RemoveEmptyEntries)
            .Select(line => line.Split('=', 2))
            .Where(parts => parts.Length == 2)
            .ToDictionary(parts => parts[0], parts => parts[1]);
        values.Remove("version", out var version);

        return new ServerDescription
        {
            Product = "Oracle Database",
            Version = version!,
            Source = DatabaseSourceKind.Containers,
            Durability =
                FileSystems.IsInMemory(fileSystem) ? DurabilityClass.NotDurable
                : values.GetValueOrDefault("commit_wait") is "NOWAIT" || values.GetValueOrDefault("commit_logging") is "BATCH"
                    ? DurabilityClass.LossOnCrash
                : DurabilityClass.Durable,
            DurabilitySettings = values,
            Settings = new Dictionary<string, string>(),
            FileSystem = fileSystem,
        };
    }
}

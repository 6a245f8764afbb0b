namespace Serdica.Perf.Cli.Ab;

/// <summary>Builds what is to be built, starts the servers once, and measures the sides in turn, each time in a new process.</summary>
/// <param name="time">For the elapsed time of each measurement's line.</param>
/// <param name="progress">Takes a line for each thing that is done.</param>
internal sealed class AbSession(
    AbRequest request,
    DatabaseEnvironment environment,
    MeasuringProgram program,
    ILogger logger,
    TimeProvider time,
    Action<string> progress
)
{
    private readonly long _startedAt = time.GetTimestamp();
    private string? _here;

    /// <exception cref="MeasuringException">It can't go on; what was measured stays in the folder.</exception>
    public async Task<IReadOnlyList<AbBlock>> MeasureAsync(AbFolder folder, CancellationToken cancellationToken)
    {
        var builds = new Dictionary<string, CommitBuild>();
        try
        {
            var programs = new Dictionary<AbSide, (MeasuringProgram, string?)>
            {
                [AbSide.Base] = await ProgramAsync(request.Base, builds, cancellationToken),
                [AbSide.Candidate] = await ProgramAsync(request.Candidate, builds, cancellationToken),
            };
            await using (var servers = await ServersOfSides.StartAsync(request, environment, logger, cancellationToken))
                return await MeasureAsync(folder, programs, servers, cancellationToken);
        }
        finally
        {
            foreach (var build in builds.Values)
                await build.DisposeAsync();
        }
    }

    private async Task<IReadOnlyList<AbBlock>> MeasureAsync(
        AbFolder folder,
        Dictionary<AbSide, (MeasuringProgram, string?)> programs,
        ServersOfSides servers,
        CancellationToken cancellationToken
    )
    {
        var blocks = new List<AbBlock>();
        for (var (number, run) = (1, 0); number <= request.Blocks; number++)
        {
            var runs = new List<AbRun>();
            foreach (var side in AbBlock.Order(number))
            {
                var output = AbFolder.RunsOf(++run, side);
                var result = await MeasureAsync(programs[side], side, Path.Combine(folder.Path, output), servers, cancellationToken);
                runs.Add(new(side, Path.Combine(output, result.RunId).Replace('\\', '/'), result));
                progress(
                    $"block {number} of {request.Blocks}, {Words(side)}: {string.Join(", ", result.Scenarios.Select(Rate))}, "
                        + $"after {Figure.Duration(time.GetElapsedTime(_startedAt))}"
                );
            }

            blocks.Add(new(number, runs));
        }

        return blocks;
    }

    private async Task<RunResult> MeasureAsync(
        (MeasuringProgram Program, string? Assembly) measured,
        AbSide side,
        string output,
        ServersOfSides servers,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await measured.Program.MeasureAsync(
                request.Arguments(request.SideOf(side), measured.Assembly),
                output,
                Environment(request.SideOf(side), servers),
                cancellationToken
            );
        }
        catch (MeasuringException error)
        {
            throw new MeasuringException(
                error.ExitCode,
                $"The {Words(side)} could not be measured, so there is nothing to compare. {error.Message}"
            );
        }
    }

    private IReadOnlyDictionary<string, string> Environment(SideOfAb side, ServersOfSides servers) =>
        side.Server?.Environment(request.BackendOf(side), environment.Value) ?? servers.Variables(side);

    /// <returns>The program that measures a side, and the assembly that it measures when the scenarios are the user's own.</returns>
    private async Task<(MeasuringProgram Program, string? Assembly)> ProgramAsync(
        SideOfAb side,
        Dictionary<string, CommitBuild> builds,
        CancellationToken cancellationToken
    )
    {
        if (side.Commit is not { } commit)
        {
            var here = await HereAsync(cancellationToken);
            return (request.Project is { } own ? program with { Folder = own.Folder } : program, here);
        }

        if (!builds.TryGetValue(commit, out var build))
        {
            progress($"building {commit[..12]}");
            builds[commit] = build = request.Project is { } project
                ? await CommitBuild.OfProjectAsync(commit, project, cancellationToken)
                : await CommitBuild.CreateAsync(commit, program.Folder, cancellationToken);
        }

        // One program measures all commits of a project; where it runs, it finds the commit that it measures.
        return request.Project is null ? (build.Program, null) : (program with { Folder = build.Folder }, build.Assembly);
    }

    /// <summary>The project as it is, built once for both sides.</summary>
    private async Task<string?> HereAsync(CancellationToken cancellationToken)
    {
        if (request.Project is not { } project)
            return null;
        if (_here is null)
        {
            progress($"building {Path.GetFileName(project.File)}");
            _here = await ProjectBuild.RunAsync(project.File, Path.GetFileName(project.File), cancellationToken);
        }

        return _here;
    }

    private static string Words(AbSide side) => side.ToString().ToLowerInvariant();

    private static string Rate(ScenarioResult scenario) =>
        scenario.Name + (scenario.ShownPerSecond is { } rate ? Invariant($" {rate:N0}/s") : "");
}

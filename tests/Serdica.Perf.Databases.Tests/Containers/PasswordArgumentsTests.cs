namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>The process list is everybody's, in a container as well: a password is no argument of a program.</summary>
public sealed partial class PasswordArgumentsTests : ScratchTests
{
    private const string Password = "s3cretPa55";

    public static TheoryData<string> Programs => ["mongosh", "sqlplus"];

    [Theory]
    [MemberData(nameof(Programs))]
    public async Task Program_that_asks_the_server_gets_no_password_as_an_argument(string program)
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("The programs of the test are shell scripts.");
            return;
        }

        ContainerModule module = program == "mongosh" ? new MongoDbModule() : new OracleModule();
        var script = Path.Combine(Root.Path, program);
        await File.WriteAllTextAsync(script, "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.arguments\"\ncat > \"$0.input\"\nexit 1\n", Token);
        File.SetUnixFileMode(script, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);

        await module.AskAsync(new Shell(Root.Path, module.Variables(Password)), "", fileSystem: null, Token);

        var arguments = await File.ReadAllTextAsync($"{script}.arguments", Token);
        Assert.NotEqual("", arguments.Trim());
        Assert.DoesNotContain(Password, arguments);
        if (program == "sqlplus")
            Assert.Contains($"\"{Password}\"@//localhost", await File.ReadAllTextAsync($"{script}.input", Token));
    }

    [Fact]
    public void Health_checks_of_the_compose_file_have_no_password_among_their_arguments()
    {
        var compose = File.ReadAllText(Path.Combine(RepositoryRoot.Folder, "eng", "compose.yaml"));

        Assert.Contains("mongosh", compose);
        Assert.DoesNotMatch(PasswordArgument(), compose);
    }

    /// <summary>MongoDB takes from 6 to 1024 characters of base64, and nothing else.</summary>
    [Theory]
    [InlineData("p")]
    [InlineData("p@ss: w\u00f6rd/'!")]
    public async Task Key_of_the_compose_file_is_valid_for_any_password(string password)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no shell script.");
        var compose = await File.ReadAllTextAsync(Path.Combine(RepositoryRoot.Folder, "eng", "compose.yaml"), Token);
        var key = Path.Combine(Root.Path, "key");
        var line = KeyCommand().Match(compose).Value.Replace("$$", "$");
        using var shell = Process.Start(
            new ProcessStartInfo("sh", ["-c", line.Replace("/etc/serdica-perf-key", key)])
            {
                Environment = { ["MONGO_INITDB_ROOT_PASSWORD"] = password },
            }
        )!;
        await shell.WaitForExitAsync(Token);

        Assert.Matches("^[A-Za-z0-9+/=]{6,1024}$", (await File.ReadAllTextAsync(key, Token)).Trim());
    }

    [GeneratedRegex("printf .*> /etc/serdica-perf-key")]
    private static partial Regex KeyCommand();

    [GeneratedRegex(@"\b(mongosh|sqlplus|psql)\b[^\n]*\$\$\w*PASSWORD")]
    private static partial Regex PasswordArgument();

    /// <summary>Runs commands on this machine, with the programs of a folder before the others.</summary>
    private sealed class Shell(string folder, IReadOnlyDictionary<string, string> variables) : IDatabaseContainer
    {
        public string Id => "shell";

        public string Host => "127.0.0.1";

        public int Port => 1;

        public Task SignalAsync(string signal, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task StartAgainAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task SetPausedAsync(bool isPaused, CancellationToken cancellationToken) => throw new NotSupportedException();

        public async Task<CommandOutcome> RunAsync(IReadOnlyList<string> command, CancellationToken cancellationToken)
        {
            var start = new ProcessStartInfo(command[0], command.Skip(1))
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            foreach (var (name, value) in variables)
                start.Environment[name] = value;
            start.Environment["PATH"] = $"{folder}:{Environment.GetEnvironmentVariable("PATH")}";
            using var process = Process.Start(start)!;
            process.StandardInput.Close();
            await process.WaitForExitAsync(cancellationToken);
            return new CommandOutcome(process.ExitCode, "", "");
        }

        public Task<ContainerState> InspectAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<string> ReadLogAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<ContainerUsage> ReadUsageAsync(CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}

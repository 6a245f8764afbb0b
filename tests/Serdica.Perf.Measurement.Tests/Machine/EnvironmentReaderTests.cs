using System.ComponentModel;

namespace Serdica.Perf.Measurement.Tests.Machine;

public sealed class EnvironmentReaderTests : FolderTests
{
    [Fact]
    public async Task A_machine_is_read_from_the_files_of_the_system()
    {
        Root.Write("proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 7B13\n\nprocessor\t: 1\nmodel name\t: AMD EPYC 7B13\n");
        Root.Write("proc/meminfo", "MemTotal:       25165824 kB\nMemFree:        1 kB\n");
        Root.Write("proc/loadavg", "0.52 0.40 0.30 1/200 4242\n");
        Root.Write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
        Root.Write("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
        Root.Write(".dockerenv", "");

        var environment = await ReadAsync();

        var machine = environment.Machine;
        Assert.Equal("2-core AMD EPYC 7B13, 24 GiB, Debian GNU/Linux 12 (bookworm)", machine.MachineName);
        Assert.Equal((2, 25_769_803_776L), (machine.LogicalCores, machine.MemoryBytes));
        Assert.Equal("6.1.0-18-amd64", machine.Kernel);
        Assert.True(machine.InContainer);
        Assert.Null(machine.CgroupCpuLimit);
        Assert.Null(machine.CgroupMemoryLimitBytes);
        Assert.Equal(0.52, environment.LoadAverageAtStart);
    }

    [Fact]
    public async Task A_name_given_to_the_machine_is_its_name()
    {
        var environment = await EnvironmentReader.ReadAsync(Options with { MachineName = "perf-lab-1" }, Token);

        Assert.Equal("perf-lab-1", environment.Machine.MachineName);
    }

    [Theory]
    [InlineData("max 100000", null)]
    [InlineData("150000 100000", 1.5)]
    public async Task Limits_of_processors_are_read_from_control_groups_of_version_2(string limit, double? expected)
    {
        Root.Write("sys/fs/cgroup/cpu.max", limit);

        Assert.Equal(expected, (await ReadAsync()).Machine.CgroupCpuLimit);
    }

    [Fact]
    public async Task The_tightest_limit_above_the_process_counts()
    {
        Root.Write("proc/self/cgroup", "0::/outer/inner\n");
        Root.Write("sys/fs/cgroup/outer/inner/memory.max", "max");
        Root.Write("sys/fs/cgroup/outer/memory.max", "1073741824");
        Root.Write("sys/fs/cgroup/memory.max", "8589934592");

        Assert.Equal(1_073_741_824, (await ReadAsync()).Machine.CgroupMemoryLimitBytes);
    }

    [Theory]
    [InlineData("9223372036854771712", null)]
    [InlineData("2147483648", 2_147_483_648L)]
    public async Task Limits_are_read_from_control_groups_of_version_1(string limit, long? expected)
    {
        Root.Write("proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/job\n");
        Root.Write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", limit);
        Root.Write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "200000");
        Root.Write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000");

        var machine = (await ReadAsync()).Machine;

        Assert.Equal(expected, machine.CgroupMemoryLimitBytes);
        Assert.Equal(2, machine.CgroupCpuLimit);
    }

    [Fact]
    public async Task A_folder_without_git_has_no_commit_but_a_reason_when_the_program_knows_none_either()
    {
        var source = await SourceReader.ReadAsync(Root.Path, builtOf: null, Token);

        Assert.Null(source.Commit);
        Assert.Null(source.Dirty);
        Assert.False(string.IsNullOrEmpty(source.Reason));
    }

    [Fact]
    public async Task A_repository_has_a_commit_and_is_dirty_when_a_file_is_new()
    {
        Git("init", "--quiet");
        Commit("first");

        var clean = (await ReadAsync()).Source;
        Root.Write("new.txt", "");
        var changed = (await ReadAsync()).Source;

        Assert.Matches("^[0-9a-f]{40,64}$", clean.Commit);
        Assert.Null(clean.Reason);
        Assert.Equal((false, true), (clean.Dirty, changed.Dirty));
        Assert.Equal(clean.Commit, changed.Commit);
    }

    [Fact]
    public async Task A_program_that_was_built_of_another_commit_of_the_repository_has_no_commit_but_a_reason()
    {
        Git("init", "--quiet");
        foreach (var name in (string[])["first", "second"])
            Commit(name);
        var token = Token;
        var head = (await SourceReader.ReadAsync(Root.Path, null, token)).Commit!;
        Git("checkout", "--quiet", "--detach", "HEAD~1");

        var stale = await SourceReader.ReadAsync(Root.Path, head, token);
        var ofAnotherRepository = await SourceReader.ReadAsync(Root.Path, new('0', 40), token);

        Assert.Null(stale.Commit);
        Assert.StartsWith($"The program was built from commit {head[..12]}", stale.Reason);
        Assert.NotNull(ofAnotherRepository.Commit);
    }

    [Fact]
    public async Task Outside_of_a_repository_the_commit_is_the_one_that_the_program_was_built_of()
    {
        var built = new string('a', 40);

        var source = await SourceReader.ReadAsync(Root.Path, built, Token);

        Assert.Equal((built, null, null), (source.Commit, source.Dirty, source.Reason));
    }

    [Fact]
    public async Task On_this_machine_everything_that_must_be_known_is()
    {
        var environment = await EnvironmentReader.ReadAsync(EnvironmentOptions.FromVariables(), Token);

        Assert.InRange(environment.Machine.LogicalCores, 1, 100_000);
        Assert.NotEmpty(environment.Machine.MachineName);
        Assert.NotEmpty(environment.Runtime.DotNetVersion);
        Assert.Equal(environment.Runtime.EntryConfiguration, environment.Runtime.SuiteConfiguration);
    }

    [Fact]
    public void The_hash_is_of_machine_and_runtime_and_of_nothing_that_varies()
    {
        var environment = SampleRun.Environment;

        Assert.Equal("c17aa9924ba73098", environment.FingerprintHash);
        Assert.Equal(
            environment.FingerprintHash,
            (
                environment with
                {
                    Source = new() { Reason = "none" },
                    ReadAt = DateTimeOffset.Parse("2030-01-01", CultureInfo.InvariantCulture),
                    LoadAverageAtStart = 2,
                    LoadAverageAtEnd = null,
                    Fsync = null,
                }
            ).FingerprintHash
        );
        Assert.NotEqual(
            environment.FingerprintHash,
            (environment with { Machine = environment.Machine with { LogicalCores = 4 } }).FingerprintHash
        );
        Assert.NotEqual(
            environment.FingerprintHash,
            (environment with { Runtime = environment.Runtime with { ServerGc = true } }).FingerprintHash
        );
    }

    private void Commit(string message) =>
        Git([
            .. "-c user.name=test -c user.email=test@example.org -c commit.gpgsign=false commit --quiet --allow-empty -m".Split(' '),
            message,
        ]);

    private void Git(params string[] arguments)
    {
        try
        {
            using var git = Process.Start(new ProcessStartInfo("git", arguments) { WorkingDirectory = Root.Path })!;
            git.WaitForExit();
            Assert.Equal(0, git.ExitCode);
        }
        catch (Win32Exception)
        {
            Assert.Skip("There is no git on this machine: install it to test how the commit is read.");
        }
    }

    private EnvironmentOptions Options => new() { SystemRoot = Root.Path, SourceDirectory = Root.Path };

    private Task<EnvironmentFingerprint> ReadAsync() => EnvironmentReader.ReadAsync(Options, Token);
}

namespace Serdica.Perf.Databases.Tests;

public sealed class ProcessorBindingTests
{
    private const string TaskSet = "/usr/bin/taskset";

    [Fact]
    public async Task Server_uses_no_more_processors_than_it_may()
    {
        await using var server = await LocalServer.StartOrSkipAsync(new DatabaseRequest { Container = new() { Cpus = 1 } });

        Assert.Equal(1, server.Description.BoundProcessors);
        Assert.Equal(
            1,
            await LocalServer.ScalarAsync<long>(
                server,
                "select count(*) from regexp_split_to_table((select pg_read_file('/proc/self/status')), E'\\n') line where line ~ "
                    + "'^Cpus_allowed_list:\\s+\\d+$'"
            )
        );
    }

    [Fact]
    public async Task Server_without_a_binding_has_none()
    {
        await using var server = await LocalServer.StartOrSkipAsync();

        Assert.Null(server.Description.BoundProcessors);
    }

    [Theory]
    [InlineData(1.5, "A local server is bound to whole processors, and 1.5 were requested: give a whole number, or use a container.")]
    [InlineData(5, "5 processors were requested, and this process may use 4.")]
    public void What_cannot_be_bound_is_told(double processors, string sentence) =>
        Assert.Equal(sentence, ProcessorBinding.For(processors, ProcessorBinding.Parse("0-2,8"), TaskSet).Problem);

    [Fact]
    public void Without_taskset_it_is_told() => Assert.Contains("taskset", ProcessorBinding.For(1, [0], taskset: null).Problem);

    [Theory]
    [InlineData(2, "0,1")]
    [InlineData(4, "0,1,2,8")]
    public void First_of_the_allowed_processors_are_taken(int processors, string list) =>
        Assert.Equal([TaskSet, "-c", list], ProcessorBinding.For(processors, ProcessorBinding.Parse("0-2,8"), TaskSet).Prefix);
}

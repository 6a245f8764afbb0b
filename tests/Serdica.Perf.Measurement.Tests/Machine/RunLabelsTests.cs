namespace Serdica.Perf.Measurement.Tests.Machine;

public sealed class RunLabelsTests
{
    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData(" , ")]
    public void Nothing_is_no_label(string? text) => Assert.Empty(RunLabels.Parse(text));

    [Fact]
    public void Labels_are_in_the_order_of_their_keys_and_a_value_may_hold_what_separates_a_key() =>
        Assert.Equal(
            [new("disk", "gp3 3000 IOPS"), new("note", "a=b"), new("region", "eu-central-1")],
            RunLabels.Parse(" region=eu-central-1, disk = gp3 3000 IOPS ,note=a=b")
        );

    [Theory]
    [InlineData("region", "'region' is not KEY=VALUE")]
    [InlineData("region=", "'region=' is not KEY=VALUE")]
    [InlineData("=x", "the key ''")]
    [InlineData("a b=x", "the key 'a b'")]
    [InlineData("1=x", "the key '1'")]
    [InlineData("a=x,a=y", "'a' is given twice")]
    [InlineData("a=x\ny", "the value of 'a' must be one line of at most")]
    public void What_is_not_understood_is_refused_with_an_example(string text, string problem)
    {
        var message = Assert.Throws<EnvironmentVariableException>(() => RunLabels.Parse(text)).Message;

        Assert.StartsWith($"SERDICA_PERF_LABELS cannot be read: {problem}", message);
        Assert.EndsWith("Write for instance SERDICA_PERF_LABELS='region=eu-central-1,disk=gp3 3000 IOPS'.", message);
    }

    [Fact]
    public void A_value_that_is_too_long_is_refused() =>
        Assert.Contains(
            "at most 200 characters",
            Assert.Throws<EnvironmentVariableException>(() => RunLabels.Parse($"a={new string('x', 201)}")).Message
        );
}

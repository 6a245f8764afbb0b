using System.Data.Common;
using System.Diagnostics;
using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class LoadErrorsTests
{
    [Theory]
    [InlineData("53300", true)]
    [InlineData("57P03", true)]
    [InlineData("23505", false)]
    [InlineData("57014", false)]
    public void A_refusal_for_want_of_room_is_told_from_other_errors_by_its_sqlstate(string state, bool isRefusal)
    {
        var errors = new LoadErrors(Stopwatch.GetTimestamp());

        errors.Add(new LoadOperationException("start", new WorkflowBackendException("The database failed.", isTransient: true, new ServerException(state))));

        var error = Assert.Single(errors.Snapshot());
        Assert.Equal(("start", $"WorkflowBackendException {state}", isRefusal), (error.Operation, error.Kind, error.IsRefusal));
    }

    [Fact]
    public void The_most_frequent_kind_comes_first_and_each_keeps_its_first_message()
    {
        var errors = new LoadErrors(Stopwatch.GetTimestamp());
        errors.Add(new TimeoutException("once"));
        errors.Add(new InvalidOperationException("first"));
        errors.Add(new InvalidOperationException("second"));

        Assert.Equal(
            [(nameof(InvalidOperationException), 2, "first"), (nameof(TimeoutException), 1, "once")],
            errors.Snapshot().Select(error => (error.Kind, (int)error.Count, error.FirstMessage)));
    }

    private sealed class ServerException(string state) : DbException("The server said so.")
    {
        public override string SqlState => state;
    }
}

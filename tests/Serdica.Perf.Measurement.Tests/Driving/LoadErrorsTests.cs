using System.Data.Common;

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

        errors.Add(
            new LoadOperationException(
                "start",
                new WorkflowBackendException("The database failed.", isTransient: true, new ServerException(state))
            )
        );

        var error = Assert.Single(errors.Snapshot());
        Assert.Equal(("start", $"WorkflowBackendException {state}", isRefusal), (error.Operation, error.Kind, error.IsRefusal));
    }

    [Theory]
    [InlineData(BackendFailure.Timeout, "57014", ErrorClass.Timeout)]
    [InlineData(BackendFailure.ConnectionLost, null, ErrorClass.ConnectionLost)]
    [InlineData(BackendFailure.Conflict, "112", ErrorClass.Conflict)]
    [InlineData(BackendFailure.Refused, "ORA-00942", ErrorClass.Refused)]
    public void The_class_and_the_code_are_those_of_the_backend(BackendFailure failure, string? code, ErrorClass expected)
    {
        var errors = new LoadErrors(Stopwatch.GetTimestamp());
        var cause = new WorkflowBackendException("so", isTransient: true) { Failure = failure, Code = code };

        errors.Add(new LoadOperationException("signal", new WorkflowBackendException("around", isTransient: true, cause)));

        var error = Assert.Single(errors.Snapshot());
        Assert.Equal((expected, code), (error.Class, error.Code));
    }

    [Fact]
    public void Errors_of_no_backend_are_known_by_their_type()
    {
        var errors = new LoadErrors(Stopwatch.GetTimestamp());
        foreach (
            var error in (Exception[])
                [new OperationFailedException("x"), new TimeoutException(), new IOException("x"), new InvalidOperationException()]
        )
            errors.Add(error);

        Assert.Equal(
            [ErrorClass.WrongResult, ErrorClass.Timeout, ErrorClass.ConnectionLost, ErrorClass.Other],
            errors.Snapshot().Select(error => error.Class)
        );
    }

    [Fact]
    public void Different_codes_are_counted_apart_and_secrets_are_scrubbed()
    {
        var errors = new LoadErrors(Stopwatch.GetTimestamp());
        foreach (var code in (string[])["40001", "40P01", "40001"])
            errors.Add(
                new WorkflowBackendException("password=hunter2 failed", isTransient: true)
                {
                    Failure = BackendFailure.Conflict,
                    Code = code,
                }
            );

        Assert.Equal([("40001", 2L), ("40P01", 1L)], errors.Snapshot().Select(error => (error.Code, error.Count)));
        EachItem.Holds(errors.Snapshot().Select(error => error.FirstMessage).Concat(errors.First), message =>
            Assert.DoesNotContain("hunter2", message)
        );
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
            errors.Snapshot().Select(error => (error.Kind, (int)error.Count, error.FirstMessage))
        );
    }

    private sealed class ServerException(string state) : DbException("The server said so.")
    {
        public override string SqlState => state;
    }
}

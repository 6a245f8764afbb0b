using System.Reflection;

namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>A backend that can only be read: instances by their id, and dead letters. Anything else is an error of the test.</summary>
internal class ReadBackend : DispatchProxy
{
    private Func<Guid, InstanceRecord?> _find = _ => null;
    private IReadOnlyList<DeadLetter> _letters = [];

    public static IWorkflowBackend Of(Func<Guid, InstanceRecord?>? find = null, params DeadLetter[] letters)
    {
        var backend = Create<IWorkflowBackend, ReadBackend>();
        var self = (ReadBackend)(object)backend;
        (self._find, self._letters) = (find ?? self._find, letters);
        return backend;
    }

    protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) =>
        targetMethod!.Name switch
        {
            nameof(IWorkflowBackend.FindAsync) => Task.FromResult(_find((Guid)args![0]!)),
            nameof(IWorkflowBackend.ListDeadLettersAsync) => Task.FromResult<IReadOnlyList<DeadLetter>>([
                .. _letters.Take(((DeadLetterQuery)args![0]!).Limit),
            ]),
            var name => throw new NotSupportedException($"{name} is not for reading."),
        };
}

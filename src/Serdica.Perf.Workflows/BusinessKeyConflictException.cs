namespace Serdica.Perf.Workflows;

/// <summary>The business key belongs to an instance of another definition.</summary>
public sealed class BusinessKeyConflictException(string businessKey, string definition, ExistingInstance existing)
    : Exception(
        $"'{definition}' cannot start with business key '{businessKey}': instance {existing.Id} of '{existing.Definition}' has it.")
{
    public string BusinessKey { get; } = businessKey;

    public ExistingInstance Existing { get; } = existing;
}

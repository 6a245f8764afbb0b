namespace Serdica.Perf.Workflows;

/// <summary>No definition of this name, version or state type is registered with the client or host.</summary>
public sealed class UnknownDefinitionException(string message) : Exception(message);

/// <summary>The business key belongs to an instance of another definition.</summary>
public sealed class BusinessKeyConflictException(string businessKey, string definition, ExistingInstance existing)
    : Exception($"'{definition}' cannot start with business key '{businessKey}': instance {existing.Id} of '{existing.Definition}' has it.")
{
    public string BusinessKey { get; } = businessKey;

    public ExistingInstance Existing { get; } = existing;
}

/// <summary>A payload is over <see cref="WorkflowOptions.MaxPayloadBytes"/>; nothing was stored.</summary>
public sealed class PayloadTooLargeException(string what, int bytes, int limit)
    : Exception($"The payload of {what} has {bytes} bytes; the limit is {limit} (WorkflowOptions.MaxPayloadBytes).");

/// <summary>A state cannot be written as JSON, read from it, or is over the limit.</summary>
public sealed class WorkflowStateException(string message, Exception? inner = null) : Exception(message, inner);

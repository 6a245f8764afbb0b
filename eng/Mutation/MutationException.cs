namespace Serdica.Perf.Mutation;

internal sealed class MutationException(string message) : Exception(message);

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Operations whose instances can be read back while the load goes on.</summary>
internal interface IReadableOperations
{
    /// <summary>An instance that was begun, by any number; null as long as there is none.</summary>
    Guid? InstanceToRead(int number);
}

namespace Serdica.Perf.Measurement.Queues;

/// <summary>A store whose queue tables can be left to the server's own vacuum settings.</summary>
public interface IVacuumTuning
{
    /// <summary>Takes the engine's settings of the queue's table away, after the schema was made.</summary>
    Task UseServerVacuumAsync(CancellationToken cancellationToken);
}

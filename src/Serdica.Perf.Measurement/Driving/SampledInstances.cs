namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// The instances of operations, for the audit: of all operations while there is room, then of every second, every fourth and so
/// on. The sample stays evenly spread for any number of operations, in bounded memory. Thread-safe.
/// </summary>
internal sealed class SampledInstances(int count, int most)
{
    private readonly Lock _gate = new();
    private readonly Guid[] _ids = new Guid[Math.Clamp(count, 1, most)];
    private int _stride = 1;
    private int _end;

    /// <summary>The number of operations from one kept instance to the next.</summary>
    public int Stride => Volatile.Read(ref _stride);

    public void Add(int operation, Guid instance)
    {
        // Most operations of a long load are not in the sample, and must not wait for the others.
        if (operation % Stride != 0)
            return;

        lock (_gate)
        {
            MakeRoomFor(operation);
            if (operation % _stride != 0)
                return;
            _ids[operation / _stride] = instance;
            _end = Math.Max(_end, (operation / _stride) + 1);
        }
    }

    /// <summary>One of the kept instances, selected by any number; null while there is none.</summary>
    public Guid? Any(int number)
    {
        lock (_gate)
            return _end > 0 && _ids[number % _end] is var id && id != Guid.Empty ? id : null;
    }

    /// <summary>The instance of an operation; null when it is not kept.</summary>
    public Guid? Find(int operation)
    {
        if (operation % Stride != 0)
            return null;

        lock (_gate)
            return operation % _stride == 0 && operation / _stride < _end && _ids[operation / _stride] is var id && id != Guid.Empty
                ? id
                : null;
    }

    /// <summary>
    /// The kept instances of the first operations, each <see cref="Stride"/> apart; empty for one that never got an instance.
    /// </summary>
    public ReadOnlyMemory<Guid> Of(int launched)
    {
        lock (_gate)
        {
            MakeRoomFor(launched - 1);
            return _ids.AsMemory(0, launched == 0 ? 0 : ((launched - 1) / _stride) + 1);
        }
    }

    private void MakeRoomFor(int operation)
    {
        while (operation / _stride >= _ids.Length)
        {
            var left = (_ids.Length + 1) / 2;
            for (var index = 1; index < left; index++)
                _ids[index] = _ids[2 * index];
            Array.Clear(_ids, left, _ids.Length - left);
            _end = (_end + 1) / 2;
            Volatile.Write(ref _stride, 2 * _stride);
        }
    }
}

using System.Collections;

namespace Serdica.Perf.Compliance.OracleStandIn;

internal sealed class StandInParameters : DbParameterCollection
{
    private readonly List<StandInParameter> _items = [];

    public override int Count => _items.Count;

    public override object SyncRoot => ((ICollection)_items).SyncRoot;

    public override int Add(object value)
    {
        _items.Add((StandInParameter)value);
        return _items.Count - 1;
    }

    public override void AddRange(Array values)
    {
        foreach (var value in values)
            Add(value);
    }

    public override void Clear() => _items.Clear();

    public override bool Contains(object value) => _items.Contains((StandInParameter)value);

    public override bool Contains(string value) => IndexOf(value) >= 0;

    public override void CopyTo(Array array, int index) => ((ICollection)_items).CopyTo(array, index);

    public override IEnumerator GetEnumerator() => _items.GetEnumerator();

    public override int IndexOf(object value) => _items.IndexOf((StandInParameter)value);

    public override int IndexOf(string parameterName) => _items.FindIndex(item => item.ParameterName == parameterName);

    public override void Insert(int index, object value) => _items.Insert(index, (StandInParameter)value);

    public override void Remove(object value) => _items.Remove((StandInParameter)value);

    public override void RemoveAt(int index) => _items.RemoveAt(index);

    public override void RemoveAt(string parameterName) => _items.RemoveAt(IndexOf(parameterName));

    protected override DbParameter GetParameter(int index) => _items[index];

    protected override DbParameter GetParameter(string parameterName) => _items[IndexOf(parameterName)];

    protected override void SetParameter(int index, DbParameter value) => _items[index] = (StandInParameter)value;

    protected override void SetParameter(string parameterName, DbParameter value) =>
        _items[IndexOf(parameterName)] = (StandInParameter)value;
}

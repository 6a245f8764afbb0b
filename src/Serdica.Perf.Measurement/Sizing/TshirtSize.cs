namespace Serdica.Perf.Measurement.Sizing;

/// <summary>A size, named by the load that it carries.</summary>
/// <param name="Name"><c>XS</c>, <c>S</c>, ...</param>
/// <param name="UpToPerSecond">The highest rate of a passed step that it was derived from.</param>
/// <param name="Components">Each with requests and limits.</param>
public sealed record TshirtSize(string Name, double UpToPerSecond, IReadOnlyList<ComponentSize> Components)
{
    public int CpuRequest => Components.Sum(component => component.CpuRequest * component.Replicas);

    public int CpuLimit => Components.Sum(component => component.CpuLimit * component.Replicas);

    public int MemoryRequest => Components.Sum(component => component.MemoryRequest * component.Replicas);

    public int MemoryLimit => Components.Sum(component => component.MemoryLimit * component.Replicas);
}

namespace Serdica.Perf.Databases.Containers;

/// <summary>A small file that is in a container before it starts.</summary>
/// <param name="Path">Full path; its folder is made when it is missing.</param>
/// <param name="Content">In UTF-8.</param>
/// <param name="OnlyFor">User id of the one user who may read it; <see langword="null"/> for everybody.</param>
internal sealed record ContainerFile(string Path, string Content, uint? OnlyFor = null);

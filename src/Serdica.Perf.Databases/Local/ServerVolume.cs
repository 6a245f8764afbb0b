namespace Serdica.Perf.Databases.Local;

/// <summary>
/// A file system in memory for a part of a server's data. It is mounted in a mount namespace of the server's processes, so that no other
/// process sees it, and it goes with them, whatever ends them.
/// </summary>
internal sealed class ServerVolume(string folder, ServerUser user)
{
    /// <summary>Far more than a run writes.</summary>
    private const long Bytes = 8L << 30;

    private const string Mount = """
        mount -t tmpfs -o "size=$2,mode=700,uid=$3,gid=$4" serdica-perf "$1" || exit 1
        shift 4
        exec "$@"
        """;

    // While others write, the volume may hold more than it held a moment ago; then the kernel refuses the size.
    private const string Fill = """
        for try in 1 2 3 4 5 6 7 8 9 10; do
            set -- "$1" $(stat -f -c '%b %f %S' "$1")
            mount -o "remount,size=$((($2 - $3) * $4))" "$1" 2>/dev/null && exit 0
        done
        mount -o "remount,size=$((($2 - $3) * $4))" "$1"
        """;

    private const string Free = """mount -o "remount,size=$2" "$1" """;

    /// <summary>Full path of the place of the volume.</summary>
    public string Folder => folder;

    /// <summary>What is put in front of a command whose processes are to see the volume; run as root.</summary>
    public IReadOnlyList<string> Prefix =>
        ["unshare", "--mount", "--", "/bin/sh", "-c", Mount, "mount", folder, Text(Bytes), user.UserId, user.GroupId, .. user.Prefix];

    /// <summary>Takes all room that the volume has left.</summary>
    public string[] FillCommand(int process) => [.. Enter(process), "/bin/sh", "-c", Fill, "fill", folder];

    /// <summary>Gives the volume its room again.</summary>
    /// <inheritdoc cref="FillCommand"/>
    public string[] FreeCommand(int process) => [.. Enter(process), "/bin/sh", "-c", Free, "free", folder, Text(Bytes)];

    private static string[] Enter(int process) => ["nsenter", "--mount", "--target", Text(process), "--"];

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}

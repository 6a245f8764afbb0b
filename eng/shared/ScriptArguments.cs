/// <summary>The options that the scripts of this folder know.</summary>
internal static class ScriptArguments
{
    /// <summary>Whether one of the arguments is unknown; a sentence then names it.</summary>
    public static bool HasUnknown(IEnumerable<string> given, params string[] known)
    {
        if (given.FirstOrDefault(argument => !known.Contains(argument)) is not { } unknown)
            return false;
        Console.WriteLine($"'{unknown}' is not understood; the options are {string.Join(", ", known)}.");
        return true;
    }
}

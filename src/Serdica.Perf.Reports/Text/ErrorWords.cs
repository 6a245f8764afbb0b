namespace Serdica.Perf.Reports.Text;

/// <summary>Classes of errors in the words of the reports.</summary>
internal static class ErrorWords
{
    public static string Of(ErrorClass error) =>
        error switch
        {
            ErrorClass.Timeout => "timeout",
            ErrorClass.ConnectionLost => "connection lost",
            ErrorClass.Conflict => "conflict",
            ErrorClass.Refused => "refused by the server",
            ErrorClass.WrongResult => "wrong result",
            _ => "other",
        };
}

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>MongoDB's numbers of the errors that mean something to the backend.</summary>
public static class DocumentErrors
{
    public const int Unauthorized = 13;
    public const int NamespaceNotFound = 26;
    public const int NamespaceExists = 48;
    public const int ExceededTimeLimit = 50;
    public const int CommandNotFound = 59;
    public const int ShutdownInProgress = 91;
    public const int WriteConflict = 112;
    public const int CommandNotSupported = 115;
    public const int NoSuchTransaction = 251;
    public const int DuplicateKey = 11000;

    /// <summary>A <c>$replaceWith</c> that gave no document: how the backend's updates refuse another version.</summary>
    public const int NotADocument = 40228;

    /// <summary>A stage of a pipeline that the server does not know.</summary>
    public const int UnknownStage = 40324;

    public const int Unknown = 1;
}

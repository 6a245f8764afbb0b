using Docker.DotNet;

namespace Serdica.Perf.Databases.Containers;

/// <summary>Failures of the library and of its client in the words of the port.</summary>
internal static partial class EngineRequests
{
    /// <summary>The version of the engine's interface that the library asks for by itself.</summary>
    public static readonly Version LibraryApi = new(1, 44);

    public static bool IsFailure(Exception exception) =>
        exception
            is DockerApiException
                or DockerContainerNotFoundException
                or HttpRequestException
                or IOException
                or TimeoutException
                or InvalidOperationException
                or ArgumentException;

    /// <summary>The engine's own words where there are some.</summary>
    public static string Cause(Exception exception) =>
        exception switch
        {
            DockerApiException { ResponseBody: { } body } when Message().Match(body) is { Success: true } message => Regex.Unescape(
                message.Groups[1].Value
            ),
            _ => exception.Message.Split('\n')[0].Trim(),
        };

    /// <exception cref="ContainerEngineException">The request failed.</exception>
    public static async Task<T> AskAsync<T>(Func<Task<T>> request)
    {
        try
        {
            return await request();
        }
        catch (Exception e) when (IsFailure(e))
        {
            throw new ContainerEngineException(Cause(e));
        }
    }

    /// <summary>Whether there is no such container or volume.</summary>
    public static bool IsGone(Exception exception) =>
        exception is DockerContainerNotFoundException or DockerApiException { StatusCode: System.Net.HttpStatusCode.NotFound };

    /// <summary>Awaits a removal; somebody else may have been faster.</summary>
    public static async Task UnlessGoneAsync(Task removal)
    {
        try
        {
            await removal;
        }
        catch (Exception e) when (IsGone(e) || e is DockerApiException { StatusCode: System.Net.HttpStatusCode.Conflict })
        {
            // Conflict: it is just being removed.
        }
    }

    // {"message":"..."}
    [GeneratedRegex("""^\s*\{\s*"message"\s*:\s*"((?:[^"\\]|\\.)*)"\s*\}\s*\z""")]
    private static partial Regex Message();
}

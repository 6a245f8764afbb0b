using Serdica.Perf.Measurement.Running;

namespace Serdica.Perf.Cli.Output;

/// <summary>Shows the progress of a run on a console until it is disposed.</summary>
internal interface IConsoleObserver : IRunObserver, IDisposable;

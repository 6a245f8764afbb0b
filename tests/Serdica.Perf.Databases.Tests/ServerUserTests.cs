namespace Serdica.Perf.Databases.Tests;

public sealed class ServerUserTests
{
    private static readonly string[] Accounts =
    [
        "root:x:0:0:root:/root:/bin/bash",
        "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin",
        "postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash",
    ];

    [Fact]
    public void User_postgres_is_preferred()
    {
        var user = ServerUser.Choose(Accounts, name => "/usr/bin/" + name);

        Assert.Equal(("postgres", "101", "104"), (user!.Name, user.UserId, user.GroupId));
        Assert.Equal(["/usr/bin/setpriv", "--reuid=101", "--regid=104", "--clear-groups", "--"], user.Prefix);
    }

    [Fact]
    public void User_nobody_serves_where_there_is_no_postgres() =>
        Assert.Equal("nobody", ServerUser.Choose(Accounts[..2], name => "/usr/bin/" + name)!.Name);

    [Theory]
    [InlineData("runuser", "/sbin/runuser -u postgres --")]
    [InlineData("su", "/sbin/su -s /bin/sh -c exec \"$@\" -- postgres sh")]
    public void What_the_machine_has_is_used_to_switch(string only, string expected)
    {
        var user = ServerUser.Choose(Accounts, name => name == only ? "/sbin/" + name : null);

        Assert.Equal(expected, string.Join(' ', user!.Prefix));
    }

    [Fact]
    public void No_program_to_switch_with_means_no_user() => Assert.Null(ServerUser.Choose(Accounts, _ => null));
}
